import { existsSync } from 'node:fs'

/** The headless build takes half the processor time. */
const places = [
  process.env.CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
]

/** Undefined if none is installed. */
export const chromiumPath = places.find((place) => place !== undefined && existsSync(place))
