import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { testTools } from '../clusters/kubernetes-programs.ts'

const root = resolve(import.meta.dirname, '../../..')

/** The commit that the changelog names for the version before. */
export function previousCommit(): string {
  const named = /^The version before is commit `([0-9a-f]{40})`\.$/m.exec(
    readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
  )
  if (named?.[1] === undefined) throw new Error('CHANGELOG.md does not name the commit of the version before')
  return named[1]
}

/** The entry file of the version before, built once for each commit. */
export function previousCli(): string {
  const directory = join(testTools, `version-${previousCommit().slice(0, 12)}`)
  if (!existsSync(directory)) build(directory)
  linkPackages(join(directory, 'node_modules'))
  return join(directory, 'dist/cli/main.js')
}

function build(directory: string): void {
  mkdirSync(testTools, { recursive: true })
  const draft = mkdtempSync(join(testTools, 'building-'))
  try {
    const source = execFileSync('git', ['archive', previousCommit()], { cwd: root, maxBuffer: 512 * 1024 ** 2 })
    execFileSync('tar', ['-x', '-C', draft], { input: source })
    linkPackages(join(draft, 'node_modules'))
    execFileSync(join(root, 'node_modules/.bin/vite'), ['build', '--logLevel', 'error'], { cwd: draft })
    renameSync(draft, directory)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another suite was faster.
    if (!existsSync(directory)) throw error
  }
}

/** It imports the packages that the present version has installed. */
function linkPackages(link: string): void {
  const target = join(root, 'node_modules')
  if (existsSync(link) && readlinkSync(link) === target) return
  rmSync(link, { force: true })
  symlinkSync(target, link)
}
