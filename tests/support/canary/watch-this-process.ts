import { settingsIn, startWatching } from './start-watching.ts'

const settings = settingsIn(process.env)
if (settings !== undefined) startWatching(settings, () => process.env.TENANT_CANARY_TEST ?? '')
