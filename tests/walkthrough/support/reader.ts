import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { findKubectls } from '../../support/clusters/kubectl.ts'
import { builtCli } from '../../support/programs/built-cli.ts'
import { type Shell, startShell } from './shell.ts'

/** A reader with a checkout, a separate home directory and kubectl, who follows guides. */
export interface Reader {
  readonly home: string
  readonly shell: Shell
  leave(): Promise<void>
}

export function welcomeReader(): Reader {
  const home = mkdtempSync(join(tmpdir(), 'tenant-reader-'))
  const checkout = join(home, 'tenant-platform')
  mkdirSync(checkout)
  const dist = dirname(dirname(builtCli()))
  symlinkSync(dist, join(checkout, 'dist'))
  symlinkSync(join(dirname(dist), 'package.json'), join(checkout, 'package.json'))
  const shell = startShell({ directory: checkout, env: environmentOf(home) })
  return {
    home,
    shell,
    leave: async () => {
      await shell.end()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** The settings of this machine's user do not apply to the reader. */
function environmentOf(home: string): NodeJS.ProcessEnv {
  const [kubectl] = findKubectls()
  if (kubectl === undefined) throw new Error('there is no kubectl: tests/support/fetch-kubectl gets one')
  const path = [dirname(kubectl.command), dirname(process.execPath), process.env.PATH ?? ''].join(delimiter)
  return { HOME: home, PATH: path, LANG: 'C.UTF-8', TMPDIR: tmpdir() }
}
