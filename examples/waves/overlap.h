/* What a trace says about units that worked at the same time. */
#ifndef EXAMPLES_WAVES_OVERLAP_H
#define EXAMPLES_WAVES_OVERLAP_H

/* Reads a trace that an engine wrote and prints, of its first two units, a few steps as a chart, a
 * letter of the kernel's name where it ran, and how long both ran kernels at once.  0, or 1
 * where the file cannot be read or has no kernels. */
int report_overlap(const char *path);

#endif
