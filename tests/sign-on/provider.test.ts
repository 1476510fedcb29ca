import { afterAll, beforeAll } from 'vitest'
import { codes } from './provider/codes.ts'
import { conformance } from './provider/conformance.ts'
import { deciding } from './provider/deciding.ts'
import { redirects } from './provider/redirects.ts'
import { settingUp } from './provider/setting-up.ts'
import { signingIn } from './provider/signing-in.ts'
import { ProviderStage } from './provider/stage.ts'
import { tokens } from './provider/tokens.ts'

let opened: ProviderStage
beforeAll(async () => {
  opened = await ProviderStage.open()
})
afterAll(() => opened?.stop())

const stage = () => opened

signingIn(stage)
deciding(stage)
conformance(stage)
redirects(stage)
codes(stage)
tokens(stage)
settingUp(stage)
