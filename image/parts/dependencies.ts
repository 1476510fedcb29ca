import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Architecture, Component, LayerEntry } from '../contract.ts'
import { run } from '../run-program.ts'
import { isNeededFile } from './dependency-files.ts'
import { readFolder } from './read-folder.ts'

const processors: Readonly<Record<Architecture, string>> = { amd64: 'x64', arm64: 'arm64' }

export interface Dependencies {
  readonly entries: readonly LayerEntry[]
  readonly components: readonly Component[]
}

/** The packages that the program needs to run, as the lock file has them, for the image's processor. */
export async function dependencies(architecture: Architecture, cache: string): Promise<Dependencies> {
  const folder = await install(architecture, cache)
  const entries = readFolder(join(folder, 'node_modules'), 'app/node_modules').filter(({ path }) => isNeededFile(path))
  return { entries, components: installedComponents(join(folder, 'node_modules')) }
}

/** Scripts of packages are not run: the addons among them come compiled. */
async function install(architecture: Architecture, cache: string): Promise<string> {
  const files = ['package.json', 'package-lock.json', '.npmrc']
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(file))
  const done = join(cache, `dependencies-${architecture}-${hash.digest('hex').slice(0, 16)}`)
  if (existsSync(done)) return done
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'installing-'))
  for (const file of files) cpSync(file, join(folder, file))
  const target = [`--cpu=${processors[architecture]}`, '--os=linux', '--libc=glibc']
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  await run('npm', ['ci', '--omit=dev', '--ignore-scripts', ...target, ...quiet], { cwd: folder })
  rmSync(done, { recursive: true, force: true })
  renameSync(folder, done)
  return done
}

interface InstalledPackage {
  readonly version: string
  readonly license?: string
}

function installedComponents(folder: string): readonly Component[] {
  const { packages } = JSON.parse(readFileSync(join(folder, '.package-lock.json'), 'utf8'))
  return Object.entries<InstalledPackage>(packages).map(([path, installed]) => npmComponent(path, installed))
}

export function npmComponent(path: string, { version, license }: InstalledPackage): Component {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  const component = { type: 'library', name, version, purl } as const
  return license === undefined ? component : { ...component, license }
}
