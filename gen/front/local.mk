# gen/front: its files, for the makefile at the top
snodegen_SOURCES += \
  gen/front/ast.h \
  gen/front/bounds.c gen/front/call_graph.c gen/front/check.c \
  gen/front/check.h gen/front/check_access.c gen/front/check_array.c \
  gen/front/attributes.def gen/front/check_attribute.c \
  gen/front/check_builtin.c \
  gen/front/check_call.c gen/front/check_constant.c gen/front/check_expr.c \
  gen/front/check_factor.c gen/front/check_name.c gen/front/factors.def gen/front/factors.h \
  gen/front/check_function.c gen/front/check_loop.c gen/front/check_node.c \
  gen/front/check_merge.c gen/front/check_print.c gen/front/check_shape.c gen/front/check_shaped.c \
  gen/front/check_rescale.c gen/front/check_stmt.c gen/front/check_struct.c \
  gen/front/check_tree.c \
  gen/front/check_type.c gen/front/counted.c gen/front/derivative.c gen/front/fold.c \
  gen/front/fold_builtin.c gen/front/generic.c \
  gen/front/lexer.c gen/front/lexer.h \
  gen/front/literal.c gen/front/names.c gen/front/parse.c \
  gen/front/parse_array.c gen/front/parse_declare.c gen/front/parse_expr.c gen/front/parse_extent.c \
  gen/front/parse_generic.c \
  gen/front/parse_loop.c \
  gen/front/parse_stmt.c gen/front/parse_token.c gen/front/parse_tree.c gen/front/parse_type.c \
  gen/front/parser.h \
  gen/front/scope.c gen/front/scope.h gen/front/shaped.def gen/front/shaped.h \
  gen/front/special.c gen/front/special.h gen/front/specials.def gen/front/tokens.def \
  gen/front/two_trees.c gen/front/words.def
