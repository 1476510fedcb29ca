import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Pure JavaScript in many small files, needed at most starts: reading them as separate files took a fifth of a server's
 * start.
 */
export const joinedPackages = ['commander', 'jose', 're2js', 'yaml'] as const

/** The name, version and license of each. */
export function noticesOf(packages: readonly string[]): string {
  return packages.map(noticeOf).join('\n')
}

function noticeOf(name: string): string {
  const folder = join('node_modules', name)
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const license = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file))
  if (license === undefined) throw new Error(`${name} has no license file, so it cannot be joined with the program`)
  return `${name} ${version}\n\n${readFileSync(join(folder, license), 'utf8').trim()}\n`
}
