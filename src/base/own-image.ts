import { packageVersion } from './package-version.ts'

/** As `npm run image` names what it builds. It belongs to no registry: nodes have it because it was imported there. */
export function ownImage(version = packageVersion()): string {
  return `localhost/tenant-platform:${version}`
}
