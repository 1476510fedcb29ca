import { chromium } from 'playwright-core'
import { chromiumPath } from '../../console/support/chromium-path.ts'
import type { SharedBrowser } from './contract.ts'

export async function startSharedBrowser() {
  const executable = chromiumPath === undefined ? {} : { executablePath: chromiumPath }
  const server = await chromium.launchServer({ ...executable, host: '127.0.0.1', args: ['--no-sandbox'] })
  const part: SharedBrowser = { endpoint: server.wsEndpoint() }
  return { part, stop: () => server.close() }
}
