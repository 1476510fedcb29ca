import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ownImage } from '../src/base/own-image.ts'
import { type Architecture, architectures } from './contract.ts'

export interface ImageOptions {
  readonly architecture: Architecture
  /** What the image is called wherever the archive is imported. */
  readonly name: string
  /** The archive to write. */
  readonly output: string
  /** Keeps what was downloaded for the next build. */
  readonly cache: string
}

interface Surroundings {
  readonly version: string
  readonly processor: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export const imageUsage = `npm run image -- [--arch ${architectures.join('|')}] [--name NAME:TAG] [--output FILE] [--cache DIR]\n`

export function readImageOptions(args: readonly string[], { version, processor, env }: Surroundings): ImageOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      arch: { type: 'string', default: processor === 'x64' ? 'amd64' : processor },
      name: { type: 'string', default: ownImage(version) },
      output: { type: 'string' },
      cache: { type: 'string', default: join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'tenant-image') },
    },
  })
  const architecture = architectureOf(values.arch)
  return {
    architecture,
    name: nameOf(values.name),
    output: values.output ?? `dist-image/tenant-platform-${version}-${architecture}.tar`,
    cache: values.cache,
  }
}

function architectureOf(text: string): Architecture {
  const found = architectures.find((each) => each === text)
  if (found === undefined) throw new Error(`--arch takes ${architectures.join(' or ')}, not ${JSON.stringify(text)}`)
  return found
}

/** A name without a tag would be looked for anew at each start of a Pod. */
function nameOf(text: string): string {
  if (/^[a-z0-9][a-z0-9.:/_-]*:[\w][\w.-]*$/.test(text)) return text
  throw new Error(`--name takes a name with a tag, such as localhost/tenant-platform:1, not ${JSON.stringify(text)}`)
}
