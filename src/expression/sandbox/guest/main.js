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

/** Longer than any name with its port. */
const maxService = 300

/** @param {unknown} virtualService */
function virtualToHostDNS(virtualService) {
  if (typeof virtualService !== 'string') {
    const given = virtualService === null ? 'null' : typeof virtualService
    throw new TypeError(`virtualToHostDNS needs text, it was given ${given}`)
  }
  if (virtualService.length > maxService)
    throw new TypeError('virtualToHostDNS was given more text than a name may have')
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
