/* The state of a program that is being made: grammar.h. */
#ifndef SN_T_FUZZ_GRAMMAR_STATE_H
#define SN_T_FUZZ_GRAMMAR_STATE_H

#include "t/fuzz/grammar.h"

enum { AXES = 12, TREES = 3, NODES = 64, FIELDS = 64, FUNCTIONS = 6, VARIABLES = 64, RECORDS = 2,
       MEMBERS = 3, PARAMETERS = 5, NAME_BYTES = 16 };

/* ---- types ---- */

typedef enum Scalar { I32, I64, I8, I16, U8, U16, U32, U64, F32, F64, F16, BOOL } Scalar;

/* A scalar; with rows a vector, with columns too a matrix; of a record only that counts. */
typedef struct Form {
  Scalar scalar;
  int rows, columns;
  int record;                    /* 1: the first struct ...; 0: none */
} Form;

typedef struct Record {
  int count;
  Form members[MEMBERS];         /* "a", "b", "c" */
} Record;

/* ---- what is declared ---- */

typedef enum Kind { DENSE, BITMASKED, POINTER, DYNAMIC, HASH } Kind;

typedef struct Node {
  char name[NAME_BYTES];
  Kind kind;
  int tree;
  const struct Node *parent;     /* NULL: the root */
  unsigned path;                 /* axes that it or one above divides */
  int own;                       /* of a dynamic node: its axis; else -1 */
  unsigned open;                 /* axes that a hash divides */
  int64_t total[AXES];
  bool is_dense;                 /* as all above */
} Node;

typedef struct Field {
  char name[NAME_BYTES];
  Form form;
  const Node *node;              /* NULL: right under the root */
  int tree;
  int axes[AXES], count;         /* of its index, in its order */
  bool is_constant;
  bool is_parameter;             /* of the generic at hand: stands for any field like it */
} Field;

typedef struct Parameter {
  Form form;
  bool is_inout;
} Parameter;

typedef struct Function {
  char name[NAME_BYTES];
  Form result;
  bool has_result;
  Parameter parameters[PARAMETERS];
  int count;
  int tree;                      /* of a tree parameter, the first one; -1: none */
  Field field;                   /* of a generic's first argument; count -1: it is none */
} Function;

/* ---- the state ---- */

typedef enum Place { IN_FUNCTION, IN_KERNEL, IN_FOREACH } Place;

typedef struct Variable {
  char name[NAME_BYTES];
  Form form;
  bool can_assign;
  bool is_constant;
  bool is_shared;                /* of the kernel's level: a foreach reads it, or reduces it */
  bool is_reduced;
  int extent;                    /* of an array with one extent; 0: none */
} Variable;

typedef struct Grammar {
  const uint8_t *at, *end;
  Text text;
  int indent;
  int names;                     /* given so far */
  int depth;                     /* of expressions */
  int room;                      /* parts that may still be written; then all are simple */
  Record records[RECORDS];
  Node nodes[NODES];
  Field fields[FIELDS];
  Function functions[FUNCTIONS];
  int record_count, tree_count, node_count, field_count, function_count;
  int extents[TREES];            /* of a tree: how many it takes at creation */
  /* where it is */
  Place place;
  Variable variables[VARIABLES];
  int variable_count;
  char prefix[TREES][NAME_BYTES];        /* "a." where the tree is a parameter, else "" */
  int loops;                     /* serial ones around, which break leaves */
  bool is_unrolled;              /* nothing leaves the loop, and no task stands in it */
  bool has_result;
  Form result;
} Grammar;

/* ---- choices: below(1) takes no byte ---- */

int below(Grammar *, int limit);
bool chance(Grammar *, int of_eight);
/* Takes from the room; false: only what is simple. */
bool may_grow(Grammar *);

/* ---- writing ---- */

void say(Grammar *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void line_begin(Grammar *);
/* A name that no one has. */
void new_name(Grammar *, char *name, const char *stem);

/* ---- types ---- */

Form scalar_form(Scalar);
Form any_scalar(Grammar *);
Form any_integer(Grammar *);
Form any_form(Grammar *);              /* of a variable */
bool same_form(Form, Form);
bool is_float(Scalar);
bool is_integer(Scalar);
Form element_form(Form);
void say_form(Grammar *, Form);

/* ---- declarations ---- */

void say_records(Grammar *);
void say_trees(Grammar *);
void say_literal(Grammar *, Form);
Variable *add_variable(Grammar *, const char *name, Form, bool can_assign);

/* ---- expressions ---- */

void expression(Grammar *, Form);
void condition(Grammar *);
void index_expression(Grammar *);      /* any integer */
/* "a.x[i, j]" */
void say_element(Grammar *, const Field *);
/* "a.tile, i, j": a node's cell, or its container's, which has no index on the own axis */
void say_cell(Grammar *, const Node *, bool of_container);
/* Of fields that such a value is read from or written to; NULL: none. */
const Field *find_field(Grammar *, const Form *, bool to_write);
const Variable *find_variable(Grammar *, Form, bool to_write);
const Node *find_node(Grammar *, bool (*fits)(const Node *));
bool is_dynamic(const Node *);
bool is_sparse(const Node *);

/* ---- statements ---- */

void statements(Grammar *, int most);
void body(Grammar *, int most);        /* in braces, with a scope of its own */
void foreach(Grammar *);
void serial_loop(Grammar *);

#endif
