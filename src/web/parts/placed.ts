/** Something of a list that never changes its order, with a key made of its place. */
export interface Placed<Item> {
  key: string
  item: Item
}

export const placed = <Item>(items: readonly Item[]): Placed<Item>[] =>
  items.map((item, place) => ({ key: String(place), item }))
