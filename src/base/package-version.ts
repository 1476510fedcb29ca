import { readFileSync } from 'node:fs'

/** The version in the package.json of this installation. */
export function packageVersion(): string {
  const manifest: { readonly version?: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  )
  return manifest.version ?? '0.0.0'
}
