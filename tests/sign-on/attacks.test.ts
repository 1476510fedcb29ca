import { afterAll, beforeAll, beforeEach } from 'vitest'
import { forgedAnswers } from './attacks/answers.ts'
import { stolenCodes } from './attacks/codes.ts'
import { destinations } from './attacks/destinations.ts'
import { forgedIdTokens } from './attacks/id-tokens.ts'
import { borrowedIdentities } from './attacks/identities.ts'
import { hostileProviders } from './attacks/providers.ts'
import { ScriptedIssuer } from './support/scripted-issuer.ts'
import { openStage, type Stage } from './support/stage.ts'

let opened: Stage
let other: ScriptedIssuer
const stage = () => opened
const another = () => other

beforeAll(async () => {
  ;[opened, other] = await Promise.all([openStage(), ScriptedIssuer.start()])
  await opened.connect('corp')
  await opened.connect('twin')
}, 240_000)
afterAll(async () => {
  await other.stop()
  await opened.stop()
})
beforeEach(() => {
  opened.issuer.script = {}
})

forgedIdTokens(stage, another)
forgedAnswers(stage)
stolenCodes(stage)
destinations(stage)
borrowedIdentities(stage, another)
/** Last: after it, no sign-in from this network works for a while. */
hostileProviders(stage)
