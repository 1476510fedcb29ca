import { atob, btoa } from './base64.js'
import { define, done, fail, keep, load, run, take } from './batch.js'
import { removeClockAndChance } from './clock.js'
import { freezeEverything, hiddenObjects, removeHazards } from './realm.js'

/**
 * Given by the host for the time in which this module runs.
 * @typedef {{
 *   expose: (functions: Record<string, Function>) => void,
 *   translate: (virtualService: string) => string,
 * }} Host
 */
const realm = /** @type {typeof globalThis & Host} */ (globalThis)
const { expose, translate } = realm

/** @param {unknown} virtualService */
function virtualToHostDNS(virtualService) {
  if (typeof virtualService !== 'string') {
    throw new TypeError(
      `virtualToHostDNS needs text, it was given ${virtualService === null ? 'null' : typeof virtualService}`,
    )
  }
  const answer = translate(virtualService)
  if (answer.startsWith('!')) throw new TypeError(answer.slice(1))
  return answer
}

const hidden = hiddenObjects()
removeHazards(hidden)
removeClockAndChance()
Object.assign(realm, { atob, btoa, virtualToHostDNS })
freezeEverything(hidden)
expose({ define, done, fail, keep, load, run, take })
