import { attacks } from './attacks/table.ts'
import type { Ground } from './contract.ts'

/** A process of its own, so that whoever measures is not slowed down by whoever attacks. */
const [name = '', ground = '{}'] = process.argv.slice(2)
const attack = attacks.get(name)
if (attack === undefined) throw new Error(`there is no attack ${name}`)
const where: Ground = JSON.parse(ground)
process.on('uncaughtException', () => {})
await attack(where)
