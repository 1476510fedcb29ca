import type { Kind } from '../kind.ts'
import { cronJob } from './cron-job.ts'
import { job } from './job.ts'

export function batchKinds(): readonly Kind[] {
  return [cronJob, job]
}
