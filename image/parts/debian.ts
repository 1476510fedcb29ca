import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Architecture, Component, LayerEntry, LayerFile, Part } from '../contract.ts'
import { unpackEntries } from '../oci/archive.ts'
import { run } from '../run-program.ts'
import { certificateBundle, isCertificate } from './certificates.ts'
import { debianEntry } from './debian-files.ts'

/** The one of the Dockerfile. */
const debianRelease = 'bookworm'

/** What Node needs to run, certificates, and who they all are; with the terms that their copyright files state. */
const packages: Readonly<Record<string, string>> = {
  'base-files': 'GPL-2.0-or-later',
  'ca-certificates': 'MPL-2.0 AND GPL-2.0-or-later',
  // Holds the copyright file of the two libraries of GCC.
  'gcc-12-base': 'GPL-3.0-or-later WITH GCC-exception-3.1',
  libc6: 'LGPL-2.1-or-later',
  'libgcc-s1': 'GPL-3.0-or-later WITH GCC-exception-3.1',
  'libstdc++6': 'GPL-3.0-or-later WITH GCC-exception-3.1',
}

export async function debianPart(architecture: Architecture, cache: string): Promise<Part> {
  const folder = join(cache, `debian-${debianRelease}-${architecture}`)
  const program = resolve('image/fetch-debian')
  await run(program, [folder, debianRelease, architecture, ...Object.keys(packages)])
  const fetched = join(folder, 'packages')
  const read = readdirSync(fetched).map((file) => readPackage(join(fetched, file)))
  const all = (await Promise.all(read)).toSorted((left, right) => (left.component.purl < right.component.purl ? -1 : 1))
  const certificates = all.flatMap(({ certificates }) => certificates)
  return {
    entries: [...all.flatMap(({ entries }) => entries), certificateBundle(certificates)],
    components: all.map(({ component }) => component),
    modifiedSeconds: Math.max(...all.map(({ modifiedSeconds }) => modifiedSeconds)),
  }
}

interface DebianPackage extends Omit<Part, 'components'> {
  readonly component: Component
  readonly certificates: readonly LayerFile[]
}

async function readPackage(file: string): Promise<DebianPackage> {
  const control = await run('dpkg-deb', ['--field', file])
  const component = componentOf(control.toString())
  const entries: LayerEntry[] = [
    { type: 'file', path: `var/lib/dpkg/status.d/${component.name}`, mode: 0o644, content: control },
  ]
  const certificates: LayerFile[] = []
  let modifiedSeconds = 0
  for await (const { header, content } of unpackEntries(await run('dpkg-deb', ['--fsys-tarfile', file]))) {
    modifiedSeconds = Math.max(modifiedSeconds, (header.mtime?.getTime() ?? 0) / 1000)
    const entry = debianEntry(header, content)
    if (entry?.type === 'file' && isCertificate(entry.path)) certificates.push(entry)
    else if (entry !== undefined) entries.push(entry)
  }
  return { component, entries, certificates, modifiedSeconds }
}

export function componentOf(control: string): Component {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(control)?.[1] ?? ''
  const [name, version, architecture] = ['Package', 'Version', 'Architecture'].map(field) as [string, string, string]
  const license = packages[name]
  if (license === undefined) throw new Error(`the terms of Debian's package ${JSON.stringify(name)} are not known here`)
  const at = `${encodeURIComponent(name)}@${encodeURIComponent(version)}`
  const purl = `pkg:deb/debian/${at}?arch=${architecture}&distro=${debianRelease}`
  return { type: name === 'ca-certificates' ? 'data' : 'library', name, version, purl, license }
}
