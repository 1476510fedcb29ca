import { existsSync } from 'node:fs'

/** The one without windows takes half the processor time. */
const places = [
  process.env.CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
]

/** Undefined where none is installed. */
export const chromiumPath = places.find((place) => place !== undefined && existsSync(place))
