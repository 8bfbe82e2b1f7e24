/* Captures whose end does not hang on others: a process that has their pipe still, a stdout that
 * the program has closed or led away meanwhile, several of them.  (What they do: device/logs.c.)
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <snode/log.h>

#include "t/exec/course.h"
#include "t/exec/outside.h"

enum { TEXT = 1 << 14 };

/* ---- a routine with a log ---- */

typedef struct course {
  sn_engine *engine;
  sn_queue *queue;
  sn_context *context;
  sn_code *code;
  sn_routine *routine;
  char log[TEXT];
} course;

static void collect(void *user, const char *text)
{
  strncat(user, text, TEXT - 1 - strlen(user));
}

static void begin(course *c, sn_routine_fn run)
{
  sn_entry entry = SN_ENTRY_INIT;

  memset(c, 0, sizeof *c);
  entry.name = "entry";
  entry.run = run;
  if (sn_engine_create(NULL, &c->engine) ||
      sn_queue_create(sn_engine_unit(c->engine, 0), NULL, &c->queue) ||
      sn_context_create_on(sn_engine_unit(c->engine, 0), NULL, NULL, &c->context) ||
      sn_code_create(c->engine, &entry, 1, &c->code) ||
      sn_code_link(c->code, 0, c->context, NULL, &c->routine))
    bail("no routine");
}

/* One run of it, by way of the capture. */
static int log_run(course *c, sn_capture *capture)
{
  SN_TRY(sn_routine_set_log(c->routine, capture, collect, c->log));
  SN_TRY(sn_routine_schedule(c->routine, c->queue, NULL));
  return sn_queue_await(c->queue);
}

static void end(course *c)
{
  is_int(sn_context_destroy(sn_routine_context(c->routine)) | sn_routine_destroy(c->routine) |
           sn_context_destroy(c->context) | sn_code_destroy(c->code) | sn_queue_destroy(c->queue) |
           sn_engine_destroy(c->engine), SN_OK, "gone");
}

static int says_one(const sn_arguments *arguments)
{
  sn_log_line(arguments, "x = 1");
  return SN_OK;
}

/* ---- a process that has the pipe still ---- */

static void test_child(void)
{
  outside o = leave_stdout();
  sn_capture *capture = NULL;
  int gate[2], made, ended, status = 0;
  char none;
  pid_t child;

  if (pipe(gate)) bail("no pipe");
  made = sn_capture_create(&capture);
  printf("before\n!@#");          /* which looks like the beginning of a run's line */
  fflush(stdout);
  child = fork();
  if (child == 0) {              /* lives until the parent has ended the capture */
    close(gate[1]);
    alarm(60);
    _exit(read(gate[0], &none, 1) != 0);
  }
  ended = sn_capture_destroy(capture);
  printf("after\n");
  is_str(come_back(&o), "before\n!@#after\n", "what was printed");
  is_int(made | ended, SN_OK, "a capture that ends before a process that writes into it");
  is_int(waitpid(child, &status, WNOHANG), 0, "which lives still");
  close(gate[0]);
  close(gate[1]);
  waitpid(child, &status, 0);
  ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "and ends when it likes");
}

/* ---- stdout is closed, or leads somewhere else ---- */

static int closes_stdout(const sn_arguments *arguments)
{
  sn_log_line(arguments, "x = 1");
  fflush(stdout);
  close(1);
  return SN_OK;
}

static int closes_and_says(const sn_arguments *arguments)
{
  close(1);
  sn_log_line(arguments, "x = 1");
  return SN_OK;
}

static void test_closed(void)
{
  outside o = leave_stdout();
  sn_capture *capture = NULL;
  course c;
  int codes, is_closed;

  begin(&c, closes_stdout);
  codes = sn_capture_create(&capture) | log_run(&c, capture) | sn_capture_destroy(capture);
  is_closed = fcntl(1, F_GETFD) < 0;
  come_back(&o);
  is_int(codes, SN_OK, "stdout is closed while a run is logged");
  is_str(c.log, "x = 1\n", "whose lines are there");
  ok(is_closed, "and the end of the capture leaves it closed");
  end(&c);
}

static void test_lost(void)
{
  outside o = leave_stdout();
  sn_capture *capture = NULL;
  course c;
  int codes;

  begin(&c, closes_and_says);
  codes = sn_capture_create(&capture) | log_run(&c, capture) | sn_capture_destroy(capture);
  come_back(&o);
  is_int(codes, SN_OK, "stdout is closed before a run has said its lines");
  is_str(c.log, "stdout could not be written to: lines of the log are lost\n",
         "the log says that they are lost");
  end(&c);
}

static void test_led_away(void)
{
  outside o = leave_stdout();
  sn_capture *capture = NULL;
  FILE *other = tmpfile();
  char text[64] = "";
  int codes;

  if (!other) bail("no file");
  codes = sn_capture_create(&capture);
  printf("into the capture\n");
  fflush(stdout);
  if (dup2(fileno(other), 1) < 0) bail("stdout cannot be led away");
  codes |= sn_capture_destroy(capture);
  printf("into the other\n");
  fflush(stdout);
  is_str(come_back(&o), "into the capture\n", "a stdout that was led away meanwhile");
  rewind(other);
  text[fread(text, 1, sizeof text - 1, other)] = 0;
  fclose(other);
  is_int(codes, SN_OK, "does not keep the capture");
  is_str(text, "into the other\n", "and stays where it leads");
}

/* ---- where nobody reads ---- */

static void test_nobody(void)
{
  sn_capture *capture = NULL;
  int ends[2], real, codes;

  fflush(stdout);
  real = dup(1);
  if (real < 0 || pipe(ends) || dup2(ends[1], 1) < 0) bail("stdout cannot be led away");
  close(ends[1]);
  close(ends[0]);
  codes = sn_capture_create(&capture);
  for (int k = 0; k < 100; k++) printf("to nobody\n");
  codes |= sn_capture_destroy(capture);
  if (dup2(real, 1) < 0) _exit(1);
  close(real);
  is_int(codes, SN_OK, "what the capture passes on and nobody reads ends no process");
}

/* ---- several ---- */

static void test_several(void)
{
  outside o = leave_stdout();
  sn_capture *outer = NULL, *inner = NULL;
  int codes, early;
  course c;

  begin(&c, says_one);
  codes = sn_capture_create(&outer) | sn_capture_create(&inner);
  printf("one\n");
  codes |= log_run(&c, outer);
  early = inner ? sn_capture_destroy(outer) : SN_ESTATE;
  printf("two\n");
  codes |= sn_capture_destroy(inner);
  printf("three\n");
  codes |= sn_capture_destroy(outer);
  is_str(come_back(&o), "one\ntwo\nthree\n", "what is printed goes through both");
  is_int(codes, SN_OK, "a capture inside another");
  is_int(early, SN_ESTATE, "the last made is destroyed first");
  is_str(c.log, "x = 1\n", "the lines of a run reach the outer one");
  end(&c);
}

int main(void)
{
  alarm(120);                    /* an end that waits for others may wait for ever */
  test_child();
  test_closed();
  test_lost();
  test_led_away();
  test_nobody();
  test_several();
  return done_testing();
}
