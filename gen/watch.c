/* --watch: compiles again when the file or one that it imports changes, and says which messages are
 * new and which are gone.
 *
 * Files are looked at five times a second by their status, which every system has.  A message is
 * the same one where its text and its line of the source are, wherever that line stands now.
 */
#define _XOPEN_SOURCE 700
#include "gen/watch.h"
#include "gen/command.h"
#include "gen/files.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { POLL_MILLISECONDS = 200 };

/* ---- files ---- */

typedef struct Stamp {
  const char *path;
  bool is_there;
  struct timespec changed;
  off_t size;
  ino_t inode;
} Stamp;

static Stamp stamp_of(const char *path)
{
  struct stat status;
  Stamp s = { .path = path };

  if (stat(path, &status) == 0) {
    s.is_there = true;
    s.changed = status.st_mtim;
    s.size = status.st_size;
    s.inode = status.st_ino;
  }
  return s;
}

static bool is_changed(const Stamp *s)
{
  const Stamp now = stamp_of(s->path);

  return now.is_there != s->is_there || now.changed.tv_sec != s->changed.tv_sec ||
         now.changed.tv_nsec != s->changed.tv_nsec || now.size != s->size || now.inode != s->inode;
}

static bool is_before(struct timespec a, struct timespec b)
{
  return a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec < b.tv_nsec);
}

/* ---- messages ---- */

typedef struct Message {
  const char *text;           /* with its source line, its caret and its notes */
  const char *key;            /* without places */
  bool is_matched;
} Message;

typedef struct Round {        /* one compile */
  Arena *arena;
  Message *messages; int message_count;
  Stamp *stamps;     int stamp_count;
} Round;

/* Of a line that begins a message, what stands behind the place: "error: ..."; NULL: it is the
 * source, a caret or a text that goes on. */
static const char *behind_place(const char *line)
{
  static const char *const words[] = { "error", "warning", "note", NULL };
  const char *end = line + strcspn(line, "\n"), *found = NULL;

  for (int k = 0; words[k] && *line != ' '; k++) {
    const char *at = strstr(line, words[k]);
    const size_t length = strlen(words[k]);
    if (at && at < end && at[length] == ':' && at > line && (at[-1] == ' ' || at[-1] == 'm') &&
        (!found || at < found))
      found = at;
  }
  return found;
}

static const char *next_line(const char *line)
{
  line += strcspn(line, "\n");
  return *line ? line + 1 : line;
}

static void add_message(Round *r, const char *begin, const char *end)
{
  Message m = { .text = intern(r->arena, begin, (size_t)(end - begin)) };
  Text key = { 0 };

  for (const char *line = m.text; *line; line = next_line(line)) {
    const char *from = behind_place(line);
    text_add_part(&key, from ? from : line, (size_t)(next_line(line) - (from ? from : line)));
  }
  m.key = intern(r->arena, key.data, key.length);
  text_free(&key);
  vec_push(r->arena, r->messages, r->message_count, m);
}

static void split_messages(Round *r, const char *text)
{
  while (*text) {
    const char *end = next_line(text);
    for (const char *head; *end; end = next_line(end)) {
      head = behind_place(end);
      if (head && strncmp(head, "note", 4) != 0)
        break;
    }
    add_message(r, text, end);
    text = end;
  }
}

/* ---- one compile ---- */

static void add_stamp(Round *r, const Stamp *s)
{
  vec_push(r->arena, r->stamps, r->stamp_count, *s);
}

/* Where imports are looked for: one that was not found may appear there. */
static void add_folders(Round *r, const Options *o)
{
  const char *slash = strrchr(o->input, '/');
  Stamp s = stamp_of(slash ? intern(r->arena, o->input, (size_t)(slash - o->input) + 1) : ".");

  add_stamp(r, &s);
  for (int k = 0; k < o->include_count; k++) {
    s = stamp_of(o->includes[k]);
    add_stamp(r, &s);
  }
}

/* A file that was changed after the compile began may have been read before. */
static void add_imports(Round *r, const Imports *imports, struct timespec begun)
{
  for (int k = 1; k < imports->count; k++) {
    Stamp s = stamp_of(imports->sources[k]->path);
    s.is_there = s.is_there && is_before(s.changed, begun);
    add_stamp(r, &s);
  }
}

/* False: there is no memory for the messages. */
static bool compile_round(Round *r, const Options *o)
{
  char *text = NULL;
  size_t length = 0;
  FILE *messages = open_memstream(&text, &length);
  const Stamp named = stamp_of(o->input);
  struct timespec begun;
  Imports imports;
  int status;

  r->arena = arena_create();
  if (!messages)
    return false;
  add_stamp(r, &named);
  clock_gettime(CLOCK_REALTIME, &begun);
  status = command_run(r->arena, o, messages, &imports);
  add_imports(r, &imports, begun);
  if (status != 0)
    add_folders(r, o);
  if (fclose(messages) != 0)
    return false;
  split_messages(r, text);
  free(text);
  return true;
}

/* ---- what has changed ---- */

static void match(Round *before, Round *now)
{
  for (int k = 0; k < now->message_count; k++)
    for (int j = 0; j < before->message_count && !now->messages[k].is_matched; j++)
      if (!before->messages[j].is_matched &&
          strcmp(before->messages[j].key, now->messages[k].key) == 0)
        before->messages[j].is_matched = now->messages[k].is_matched = true;
}

static int count_unmatched(const Round *r)
{
  int count = 0;

  for (int k = 0; k < r->message_count; k++)
    count += !r->messages[k].is_matched;
  return count;
}

static void say(Round *before, Round *now, const char *path)
{
  int added, gone;

  match(before, now);
  added = count_unmatched(now);
  gone = count_unmatched(before);
  for (int k = 0; k < before->message_count; k++) {
    const Message *m = &before->messages[k];
    if (!m->is_matched)
      fprintf(stderr, "gone: %.*s\n", (int)strcspn(m->text, "\n"), m->text);
  }
  for (int k = 0; k < now->message_count; k++)
    if (!now->messages[k].is_matched)
      fputs(now->messages[k].text, stderr);
  if (!before->arena || added || gone) {
    fprintf(stderr, "snodegen: %s: %d message%s", path, now->message_count,
            now->message_count == 1 ? "" : "s");
    if (before->arena)
      fprintf(stderr, ", %d new, %d gone", added, gone);
    fputc('\n', stderr);
  }
  fflush(stderr);
  for (int k = 0; k < now->message_count; k++)
    now->messages[k].is_matched = false;
}

/* ---- waiting ---- */

static volatile sig_atomic_t ended_by;

static void note_end(int number)
{
  ended_by = number;
}

static void catch_signals(void)
{
  static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
  struct sigaction action;

  memset(&action, 0, sizeof action);
  action.sa_handler = note_end;
  for (int k = 0; k < 3; k++)
    sigaction(numbers[k], &action, NULL);
}

static bool has_changes(const Round *r)
{
  for (int k = 0; k < r->stamp_count; k++)
    if (is_changed(&r->stamps[k]))
      return true;
  return false;
}

/* An editor may take the file away before it puts another there. */
static void wait_for_change(const Round *r)
{
  const struct timespec pause = { 0, POLL_MILLISECONDS * 1000000L };

  do
    nanosleep(&pause, NULL);
  while (!ended_by && (!has_changes(r) || !stamp_of(r->stamps[0].path).is_there));
}

int watch_source(const Options *o)
{
  Round before = { 0 };
  const Stamp named = stamp_of(o->input);

  if (!named.is_there) {
    complain("%s: %s", o->input, strerror(errno));
    return EXIT_FILE;
  }
  catch_signals();
  while (!ended_by) {
    Round now = { 0 };
    if (!compile_round(&now, o)) {
      complain("no memory for messages");
      return EXIT_FILE;
    }
    say(&before, &now, o->input);
    arena_destroy(before.arena);
    before = now;
    wait_for_change(&before);
  }
  arena_destroy(before.arena);
  return ended_by == SIGINT ? 0 : 128 + (int)ended_by;
}
