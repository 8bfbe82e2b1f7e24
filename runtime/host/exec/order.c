/* The rule that misses no order: see order.h. */
#include "runtime/host/exec/order.h"

#include <stddef.h>

sni_permission sni_permission_merge(sni_permission a, sni_permission b)
{
  if (a == SNI_NONE || a == b)
    return b;
  return b == SNI_NONE ? a : SNI_WRITE;
}

int sni_permission_allows(sni_permission allowed, sni_permission wanted)
{
  return wanted == SNI_NONE || allowed == SNI_WRITE || allowed == wanted;
}

int sni_permissions_conflict(sni_permission a, sni_permission b)
{
  return a != SNI_NONE && b != SNI_NONE && (a != b || a == SNI_WRITE);
}

static void for_each(const sni_group *group, void (*before)(void *, void *), void *user)
{
  const sni_member *member = group->any;

  if (member)
    do {
      before(member->who, user);
      member = member->next;
    } while (member != group->any);
}

static void join(sni_group *group, sni_member *member)
{
  member->group = group;
  if (group->any) {
    member->next = group->any;
    member->previous = group->any->previous;
    member->previous->next = member->next->previous = member;
  } else {
    group->any = member->next = member->previous = member;
  }
}

/* The earlier group is no longer waited for: all of the current one do that already. */
static void forget(sni_group *group)
{
  sni_member *member = group->any;

  if (member)
    do {
      member->group = NULL;
      member = member->next;
    } while (member != group->any);
  group->any = NULL;
}

/* Whether it comes to the current group; it begins a new one otherwise. */
static int joins(const sni_hazard *hazard, sni_permission permission)
{
  return hazard->kind == permission && permission != SNI_WRITE;
}

void sni_order_visit(const sni_hazard *hazard, sni_permission permission,
                     void (*before)(void *, void *), void *user)
{
  const int which = joins(hazard, permission) ? !hazard->current : hazard->current;

  for_each(&hazard->group[which], before, user);
}

void sni_order_enter(sni_hazard *hazard, sni_member *member, sni_permission permission)
{
  if (!joins(hazard, permission)) {
    forget(&hazard->group[!hazard->current]);
    hazard->current = !hazard->current;
    hazard->kind = permission;
  }
  join(&hazard->group[hazard->current], member);
}

void sni_order_leave(sni_member *member)
{
  sni_group *group = member->group;

  if (!group)
    return;
  if (member->next == member) {
    group->any = NULL;
  } else {
    member->previous->next = member->next;
    member->next->previous = member->previous;
    if (group->any == member)
      group->any = member->next;
  }
  member->group = NULL;
}
