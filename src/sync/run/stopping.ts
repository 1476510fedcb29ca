import { setMaxListeners } from 'node:events'

/** Ends everything that was begun with its signal, of which there may be much at the same time. */
export function stopping(): AbortController {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}
