import { reuseRsaKeys } from './reuse-keys.ts'

reuseRsaKeys()
