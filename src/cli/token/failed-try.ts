import { asJson, asMembers } from '../../base/json/lenient.ts'
import { fileText } from '../connect/kubeconfig-file.ts'
import { writePrivateFile } from '../credentials/private-file.ts'

/** Records that the platform gave no key, for processes that wait meanwhile. */
export async function noteFailure(keyFile: string, error: unknown, nowMs: number): Promise<void> {
  if (!(error instanceof Error)) return
  await writePrivateFile(fileFor(keyFile), `${JSON.stringify({ atMs: nowMs, message: error.message })}\n`)
}

/** The failure of another process while this one waited for its turn. */
export async function failureSince(keyFile: string, sinceMs: number): Promise<Error | undefined> {
  const { atMs, message } = asMembers(asJson((await fileText(fileFor(keyFile))) ?? ''))
  return typeof atMs === 'number' && typeof message === 'string' && atMs >= sinceMs ? new Error(message) : undefined
}

function fileFor(keyFile: string): string {
  return `${keyFile}.failed`
}
