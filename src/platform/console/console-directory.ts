import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Beside the compiled program, or where the build of a checkout puts it. */
const places = ['../../console/', '../../../dist/console/']

/** Where the built console is; undefined if it has not been built. */
export function consoleDirectory(): string | undefined {
  return places
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    .find((directory) => existsSync(`${directory}index.html`))
}
