/* The functions that a generated header declares, each with its parameters: the one list that the
 * header, the C file, the manifest and the bindings (gen/bind) are written from.
 */
#ifndef SNODEGEN_EMIT_API_H
#define SNODEGEN_EMIT_API_H

#include "gen/emit/writer.h"

/* What a parameter is in C. */
typedef enum ApiKind {
  API_CONTEXT,                /* sn_context * */
  API_OPTIONS,                /* const sn_tree_options *; NULL is fine */
  API_TREE,                   /* an instance */
  API_NEW_TREE,               /* where one goes */
  API_TEXT,                   /* const char * */
  API_BOX,                    /* const sn_box *; NULL is all */
  API_SPAN,                   /* sn_span */
  API_MEMORY,                 /* sn_memory_info * */
  API_QUEUE, API_EVENT,       /* sn_queue *, sn_event ** */
  API_SCALAR,                 /* by value */
  API_VALUE,                  /* one value at an address */
  API_ARRAY                   /* values at an address, as many as the call says */
} ApiKind;

/* What the call does with memory whose address it takes. */
typedef enum ApiWay { API_IN, API_OUT, API_INOUT } ApiWay;

/* What it is for. */
typedef enum ApiRole {
  API_OTHER,
  API_INDEX,                  /* one of those of a field or an SNode */
  API_EXTENT,                 /* of a tree that is made; of an array that a kernel takes */
  API_PARAMETER,              /* of a kernel */
  API_RESULT, API_TANGENT     /* of a kernel */
} ApiRole;

typedef struct ApiParam {
  ApiKind kind;
  ApiWay way;
  ApiRole role;
  const char *name;           /* in C */
  const char *c_type;         /* of a scalar, of an element, of a struct, of the tree */
  const Type *type;           /* the scalar, of one or of each element; NULL: there is none */
  const Struct *of;           /* values are such structs; else NULL */
  int elements;               /* of a vector or a matrix; 0: a value is a scalar or a struct */
  int rows, columns;          /* of a matrix; of a vector rows alone; else 0 */
  const IrTree *tree;
  const IrVariable *variable; /* of a kernel: the (first) parameter that it is; else NULL */
} ApiParam;

typedef enum ApiScope {
  CALL_TREE, CALL_FIELD, CALL_VECTOR, CALL_STRUCT, CALL_SNODE, CALL_MODULE, CALL_KERNEL,
  CALL_SUBMIT
} ApiScope;

typedef struct ApiCall {
  ApiScope scope;
  const char *name;           /* heat_u_get */
  const char *action;         /* get: what it does; of a kernel its name */
  const char *result;         /* in C, with SN_NODISCARD, which belongs to the prototype */
  const IrTree *tree;         /* what it is for; else NULL */
  const IrField *field;
  const IrSNode *snode;
  const IrFunction *kernel;
  ApiParam *params;
  int param_count;
} ApiCall;

typedef struct Api {
  ApiCall *calls;
  int count;
} Api;

/* ---- api_text.c ---- */
void api_add(Emit *, ApiCall *, ApiParam);
/* Its elements are so many, the last of which has that name. */
void api_set_shape(ApiParam *, int elements, const char *last);
const char *api_param_text(Emit *, const ApiParam *);
/* "sn_context *ctx, double *out"; "void" of none. */
const char *api_params_text(Emit *, const ApiCall *);
const char *api_result_text(const ApiCall *);         /* without SN_NODISCARD */

/* ---- call.c ---- */
void tree_api(Emit *, const IrTree *, Api *);         /* its own, its fields', its SNodes' */
void module_api(Emit *, Api *);

/* ---- kernel_call.c ---- */
ApiCall kernel_api(Emit *, const IrFunction *, bool submits);

/* ---- api.c ---- */
/* All of the module's, in the order of the header. */
Api api_of(Emit *);

#endif
