import { spawn } from 'node:child_process'
import type { Terminal } from '../../terminal/terminal.ts'

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Asks the desktop to open a URL, without a shell. The user sees whether it works, and is shown the URL too. */
export function openBrowser(address: string, env: Terminal['env']): void {
  const [command = '', ...args] = env.BROWSER ? [env.BROWSER] : (openers[process.platform] ?? ['xdg-open'])
  const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}
