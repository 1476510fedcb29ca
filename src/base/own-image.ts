import { packageVersion } from './package-version.ts'

/** The name that `npm run image` gives the image. No registry has it: it must be imported on each node. */
export function ownImage(version = packageVersion()): string {
  return `localhost/tenant-platform:${version}`
}
