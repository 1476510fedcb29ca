import { startLinkPlatform, tenantKey } from '../../tests/link/support.ts'
import { serveParent } from './process.ts'

const platform = await startLinkPlatform()
const accessKey = await tenantKey(platform, 'tenants')
const token = await platform.keyOf('admin')
const { url, authority } = platform.server
serveParent({ url, authority, accessKey, token })
