/**
 * The thread that reads untrusted text: it may be ended and started again at any moment, so it has no file, no key and no
 * connection.
 */
import { jobs } from './reading-jobs.ts';
import { serveJobs } from '../untrusted/thread.ts';

serveJobs(jobs);
