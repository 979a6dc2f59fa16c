/** The thread of the tests of the reading threads. */
import { serveJobs } from '#core/reading/thread.ts';
import { testJobs } from './reading-jobs.ts';

serveJobs(testJobs);
