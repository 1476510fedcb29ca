import type { TarHeader } from 'tar-stream'
import type { LayerEntry } from '../contract.ts'
import { isCertificate } from './certificates.ts'

/** What a server needs of a package: its libraries, certificates and terms, and which Debian it is. */
export function debianEntry(
  { name, type, mode = 0, linkname }: TarHeader,
  content: Uint8Array,
): LayerEntry | undefined {
  const path = name.replace(/^\.\//, '')
  if (!isNeeded(path)) return undefined
  if (type === 'file') return { type, path, mode: mode & 0o755, content }
  if (type === 'symlink' && linkname) return { type, path, target: linkname }
  if (type === 'directory') return undefined
  throw new Error(`${path} is a ${type}, which cannot be put into a layer`)
}

function isNeeded(path: string): boolean {
  return isLibrary(path) || isCertificate(path) || kept.test(path)
}

/** Converters between character sets, and what watches the loader, are for other programs. */
function isLibrary(path: string): boolean {
  return /^(usr\/)?lib(32|64)?\/.*\.so(\.|$)/.test(path) && !/\/(gconv|audit)\//.test(path)
}

/** In some packages the folder of the terms is a link to that of another package. */
const kept = /^(usr\/share\/doc\/[^/]+(\/copyright)?|(etc|usr\/lib)\/os-release|etc\/debian_version)$/
