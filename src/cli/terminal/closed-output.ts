import type { Writable } from 'node:stream'
import { isDiskFull } from '../../base/files/disk-full.ts'

/** The exit code that a shell reports for a program ended by a closed pipe. */
const closedPipe = 141

interface Outputs {
  readonly stdout: Writable
  readonly stderr: Writable
}

/**
 * A reader such as `head` may close the pipe early: the process then ends without a message. Data that does not fit on
 * the disk is a failure; messages that do not fit are dropped, and the process continues.
 */
export function exitWhenOutputCloses({ stdout, stderr }: Outputs): void {
  stdout.on('error', (error) => {
    endIfClosed(error)
    if (!isDiskFull(error)) throw error
    stderr.write('error: the disk that the output goes to is full: free some space there, then try again\n')
    process.exit(1)
  })
  stderr.on('error', (error) => {
    endIfClosed(error)
    if (!isDiskFull(error)) throw error
  })
}

/**
 * Resolves once the system has everything that was written: an exit would lose what a pipe has no room for yet, and that
 * a file had no room.
 */
export async function untilWritten({ stdout, stderr }: Outputs): Promise<void> {
  for (const stream of [stdout, stderr]) {
    if (stream.writableLength > 0) await new Promise<void>((resolve) => stream.write('', () => resolve()))
  }
  // Streams report the failure of a write later than the write.
  await new Promise((resolve) => setImmediate(resolve))
}

function endIfClosed(error: Error): void {
  if ('code' in error && error.code === 'EPIPE') process.exit(closedPipe)
}
