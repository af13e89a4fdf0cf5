extension IntrinsicsRecord {
  /// What the residuals (projected − seen) of the used corners have in common, which independent corner
  /// noise would not; pixels.
  public struct ResidualPatterns: Sendable, Hashable {
    /// The mean of the residuals along the radius, outward, in rings of equal width from the principal point
    /// to the farthest corner; nil where a ring holds no corner.
    ///
    /// A lens model that is too simple shows as a wave.
    public var outwardByRadius: [Double?]
    /// The correlation of neighbouring corners' residuals, −1…1: 0 for independent noise, 0.3 to 0.7 on
    /// usual photographs; nil without neighbours.
    public var neighbourCorrelation: Double?
    /// By how much corners with a dark square at their upper left lie off along the board's x and y, and
    /// those with a light one the other way; nil where the board is no grid.
    public var parity: SIMD2<Double>?
    /// How many corners of held-out views lie beyond 3.5 sigma; nil below 5 views.
    public var heldOutBeyond: Int?

    /// Creates patterns.
    public init(
      outwardByRadius: [Double?], neighbourCorrelation: Double?, parity: SIMD2<Double>?,
      heldOutBeyond: Int?
    ) {
      self.outwardByRadius = outwardByRadius
      self.neighbourCorrelation = neighbourCorrelation
      self.parity = parity
      self.heldOutBeyond = heldOutBeyond
    }
  }
}

extension IntrinsicsRecord.ResidualPatterns {
  init(_ field: JSONField) throws(JSONError) {
    outwardByRadius = try field.member("outwardByRadius").optionalNumbers()
    neighbourCorrelation = try field.optionalMember("neighbourCorrelation")?.number()
    parity = try field.optionalMember("parity").map { parity throws(JSONError) in
      try SIMD2(parity.member("x").number(), parity.member("y").number())
    }
    heldOutBeyond = try field.optionalMember("heldOutBeyond")?.integer(in: 0...Int.max)
  }

  var jsonValue: JSONValue {
    .object([
      .init("outwardByRadius", .array(outwardByRadius.map { .optional($0) })),
      .init("neighbourCorrelation", .optional(neighbourCorrelation)),
      .init(
        "parity",
        parity.map { .object([.init("x", .optional($0.x)), .init("y", .optional($0.y))]) } ?? .null),
      .init("heldOutBeyond", heldOutBeyond.map { .integer($0) } ?? .null),
    ])
  }
}
