/* Structs: their elements, and where those lie in memory. */
#include "gen/base/type.h"

#include <string.h>

const Member *struct_member(const Struct *s, const char *name)
{
  for (int i = 0; i < s->member_count; i++)
    if (strcmp(s->members[i].name, name) == 0)
      return &s->members[i];
  return NULL;
}

const Member *struct_member_at(const Struct *s, int k)
{
  const Member *m = s->members;
  while (k >= m->first + type_count(m->type))
    m++;
  return m;
}

bool struct_close(Struct *s)
{
  int count = 0;
  for (int i = 0; i < s->member_count && count <= MAX_STRUCT_ELEMENTS; i++) {
    s->members[i].first = count;
    count += type_count(s->members[i].type);
  }
  s->type.kind = TYPE_STRUCT;
  s->type.rows = count;
  s->type.columns = 1;
  return count > 0 && count <= MAX_STRUCT_ELEMENTS;
}

const Type *type_at(const Type *t, int k)
{
  while (type_is_struct(t)) {
    const Member *m = struct_member_at(type_struct(t), k);
    k -= m->first;
    t = m->type;
  }
  return type_element(t);
}

/* ---- layout ---- */

static int64_t scalar_bytes(const Type *t) { return t->bits < 8 ? 1 : t->bits / 8; }

int64_t type_alignment(const Type *t)
{
  int64_t most = 1;
  for (int k = 0; k < type_count(t); k++)
    if (scalar_bytes(type_at(t, k)) > most)
      most = scalar_bytes(type_at(t, k));
  return most;
}

static int64_t aligned(int64_t at, const Type *t)
{
  int64_t to = type_alignment(t);
  return (at + to - 1) / to * to;
}

/* Where the member begins; behind the last one: the end of it. */
static int64_t member_offset(const Struct *s, const Member *member)
{
  int64_t at = 0;
  for (const Member *m = s->members; m < s->members + s->member_count; m++) {
    at = aligned(at, m->type);
    if (m == member)
      return at;
    at += type_bytes(m->type);
  }
  return at;
}

int64_t type_bytes(const Type *t)
{
  if (!type_is_struct(t))
    return type_count(t) * scalar_bytes(type_element(t));
  const Struct *s = type_struct(t);
  return aligned(member_offset(s, s->members + s->member_count), t);
}

int64_t type_offset(const Type *t, int k)
{
  if (!type_is_struct(t))
    return k * scalar_bytes(type_element(t));
  const Member *m = struct_member_at(type_struct(t), k);
  return member_offset(type_struct(t), m) + type_offset(m->type, k - m->first);
}
