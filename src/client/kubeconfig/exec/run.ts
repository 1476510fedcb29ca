import { execFile } from 'node:child_process'
import { CredentialPluginFailed } from '../contract.ts'

const timeoutMs = 60_000
const maxOutputBytes = 1024 * 1024
const shownCharacters = 300

export interface Plugin {
  readonly command: string
  readonly parameters: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** What to do if the command is missing, in the words of the kubeconfig's author. */
  readonly installHint: string | undefined
}

/** Returns the output of the plugin. Its error output becomes part of the error, because it is meant for users. */
export function runPlugin({ command, parameters, env, installHint }: Plugin): Promise<string> {
  const options = { env: { ...env }, timeout: timeoutMs, maxBuffer: maxOutputBytes, windowsHide: true }
  return new Promise((resolve, reject) => {
    const child = execFile(command, [...parameters], options, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout)
      const hint = error.code === 'ENOENT' && installHint !== undefined ? `\n${installHint}` : ''
      reject(new CredentialPluginFailed(`the credential plugin ${command} failed: ${reasonOf(error, stderr)}${hint}`))
    })
    child.stdin?.on('error', () => {}).end()
  })
}

function reasonOf(error: { readonly code?: unknown; readonly killed?: boolean }, stderr: string): string {
  if (error.code === 'ENOENT') return 'there is no such program'
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 'its output is too long'
  const said = stderr
    .trim()
    .replace(/^error: /, '')
    .slice(-shownCharacters)
  if (error.killed) return `it did not end within ${timeoutMs / 1000} s${said === '' ? '' : `: ${said}`}`
  return said === '' ? `it ended with ${String(error.code)}` : said
}
