/** The thread of the tests of the reading threads. */
import { serveJobs } from '#core/untrusted/thread.ts';
import { testJobs } from './reading-jobs.ts';

serveJobs(testJobs);
