type Call = (self: object, args: readonly unknown[]) => void

/** Makes a method report each call before it runs. */
export function before(target: object, name: string, tell: Call): void {
  replace(target, name, (original, self, args) => {
    tell(self, args)
    return Reflect.apply(original, self, args)
  })
}

/** Makes a method report its result. */
export function after(target: object, name: string, tell: (result: unknown, self: object) => void): void {
  replace(target, name, (original, self, args) => {
    const result: unknown = Reflect.apply(original, self, args)
    tell(result, self)
    return result
  })
}

type AnyFunction = (...args: readonly unknown[]) => unknown

function replace(
  target: object,
  name: string,
  instead: (original: AnyFunction, self: object, args: readonly unknown[]) => unknown,
): void {
  const original: unknown = Reflect.get(target, name)
  if (!isFunction(original)) throw new Error(`there is no function ${name} to watch`)
  const value = function (this: object, ...args: readonly unknown[]) {
    return instead(original, this, args)
  }
  Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: true })
}

function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function'
}
