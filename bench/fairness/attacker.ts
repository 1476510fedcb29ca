import { text } from 'node:stream/consumers'
import { attacks } from './attacks/table.ts'
import type { Ground } from './contract.ts'

const [name = ''] = process.argv.slice(2)
const attack = attacks.get(name)
if (attack === undefined) throw new Error(`there is no attack ${name}`)
const where: Ground = JSON.parse(await text(process.stdin))
process.on('uncaughtException', () => {})
await attack(where)
