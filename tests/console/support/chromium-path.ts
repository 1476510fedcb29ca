import { existsSync } from 'node:fs'

const places = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser']

/** Undefined where none is installed. */
export const chromiumPath = places.find((place) => place !== undefined && existsSync(place))
