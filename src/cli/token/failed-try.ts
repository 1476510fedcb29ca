import { asJson, asMembers } from '../../base/json/lenient.ts'
import { fileText } from '../connect/kubeconfig-file.ts'
import { writePrivateFile } from '../credentials/private-file.ts'

/** Notes that the platform gave no key, for those that wait meanwhile. */
export async function noteFailure(keyFile: string, error: unknown, nowMs: number): Promise<void> {
  if (!(error instanceof Error)) return
  await writePrivateFile(fileFor(keyFile), `${JSON.stringify({ atMs: nowMs, message: error.message })}\n`)
}

/** What came of asking while a process waited for its turn. */
export async function failureSince(keyFile: string, sinceMs: number): Promise<Error | undefined> {
  const { atMs, message } = asMembers(asJson((await fileText(fileFor(keyFile))) ?? ''))
  return typeof atMs === 'number' && typeof message === 'string' && atMs >= sinceMs ? new Error(message) : undefined
}

function fileFor(keyFile: string): string {
  return `${keyFile}.failed`
}
