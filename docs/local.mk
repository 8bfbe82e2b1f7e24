# docs: a man page for each public header, made of its comments (snode.h, which includes the others,
# is told of in snode.3).
EXTRA_DIST += docs/man.awk
nodist_man_MANS = docs/man/snode_compile.3 docs/man/snode_context.3 \
  docs/man/snode_declare.3 docs/man/snode_engine.3 docs/man/snode_error.3 \
  docs/man/snode_interpreter.3 docs/man/snode_io.3 docs/man/snode_log.3 \
  docs/man/snode_loops.3 docs/man/snode_module.3 docs/man/snode_node.3 \
  docs/man/snode_profile.3 docs/man/snode_program.3 docs/man/snode_routine.3 \
  docs/man/snode_submit.3 docs/man/snode_tape.3 docs/man/snode_task.3 \
  docs/man/snode_tensor.3 docs/man/snode_tree.3 docs/man/snode_types.3 \
  docs/man/snode_version.3
CLEANFILES += $(nodist_man_MANS) docs/man/pages

docs/man/pages: $(srcdir)/docs/man.awk $(snodeinclude_HEADERS)
	@$(MKDIR_P) docs/man
	$(AM_V_GEN)for page in $(nodist_man_MANS); do \
	  header=`echo "$$page" | sed -e 's|docs/man/snode_||' -e 's|\.3$$|.h|'`; \
	  $(AWK) -f $(srcdir)/docs/man.awk -v version=$(PACKAGE_VERSION) \
	    -v errors_file=$(srcdir)/include/snode/errors.def \
	    $(srcdir)/include/snode/$$header >"$$page.new" && mv "$$page.new" "$$page" || exit 1; \
	done && echo $(nodist_man_MANS) >docs/man/pages
$(nodist_man_MANS): docs/man/pages
