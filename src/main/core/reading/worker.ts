/** The thread that reads untrusted text: ended and made again at any moment, so it has no file, no key and no connection. */
import { jobs } from './jobs.ts';
import { serveJobs } from './thread.ts';

serveJobs(jobs);
