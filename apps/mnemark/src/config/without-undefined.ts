type Defined<Value> = { [Key in keyof Value]: Exclude<Value[Key], undefined> }
type OptionalKeys<Value> = { [Key in keyof Value]: undefined extends Value[Key] ? Key : never }[keyof Value]

/** A copy without the members that are undefined. */
export function withoutUndefined<Value extends object>(
  value: Value,
): Partial<Defined<Value>> & Omit<Defined<Value>, OptionalKeys<Value>> {
  // Safe: exactly the members that are undefined are left out, and only those may be missing in the result.
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as never
}
