import { expect, it } from 'vitest'
import { WebhookTraffic } from './webhook-traffic.ts'

it('traffic to webhooks has a limit, which a single request may exceed', async () => {
  const traffic = new WebhookTraffic({ calls: 10, requests: 10, bytes: 150 })
  let release = (): void => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const first = traffic.sending(100, () => released)
  await expect(traffic.sending(100, async () => 'sent')).rejects.toThrow('too much is being sent to webhooks')
  await expect(traffic.sending(50, async () => 'sent')).resolves.toBe('sent')
  release()
  await first
  await expect(traffic.sending(1_000, async () => 'sent')).resolves.toBe('sent')
})
