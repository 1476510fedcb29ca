import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Beside the compiled program, or in the build output of a checkout. */
const places = ['../../console/', '../../../dist/console/']

/** The directory of the built console; undefined if it has not been built. */
export function consoleDirectory(): string | undefined {
  return places
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    .find((directory) => existsSync(`${directory}index.html`))
}
