/* The rule that misses no order: see order.h. */
#include "runtime/host/exec/order.h"

int sni_permission_allows(sni_permission allowed, sni_permission wanted)
{
  return wanted == SNI_NONE || allowed == SNI_WRITE || allowed == wanted;
}

int sni_permissions_conflict(sni_permission a, sni_permission b)
{
  return a != SNI_NONE && b != SNI_NONE && (a != b || a == SNI_WRITE);
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

void sni_order_enter(sni_hazard *hazard, sni_member *member, sni_permission permission)
{
  if (!sni_order_joins(hazard, permission)) {
    forget(&hazard->group[!hazard->current]);
    hazard->current ^= 1;
    hazard->kind = (unsigned char)permission;
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
