const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && [Object.prototype, Array.prototype, null].includes(Object.getPrototypeOf(value))

/**
 * Returns a deep frozen copy, so that later changes to the passed options have no effect. Functions and class instances are kept.
 */
export function freezeOptions<Options>(options: Options): Options {
  if (!isPlain(options)) return options
  const copy = Array.isArray(options)
    ? options.map(freezeOptions)
    : Object.fromEntries(Object.entries(options).map(([name, value]) => [name, freezeOptions(value)]))
  // The copy has the members of the original, so it has its type.
  return Object.freeze(copy) as Options
}
