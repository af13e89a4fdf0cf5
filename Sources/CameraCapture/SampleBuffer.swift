public import CalibrationStore
public import CameraModel
public import FoundationEssentials

/// A frame with its time, its pixels and what is known of the camera that took it.
///
/// Keep it only as long as it is needed: as long as its pixels were not asked for, it holds one of the
/// driver's few buffers. Usable from any thread.
public final class SampleBuffer: Sendable {
  /// What a frame can carry.
  public enum AttachmentKey: Sendable, Hashable {
    /// The intrinsic matrix, 48 bytes, as iOS attaches it: column-major floats in the machine's byte
    /// order, those with index 3, 7 and 11 zero.
    ///
    /// ```swift
    /// let matrix = data.withUnsafeBytes { $0.load(as: matrix_float3x3.self) }
    /// ```
    case cameraIntrinsicMatrix
  }

  /// The driver's number of the frame; a gap means frames that never came.
  public let sequenceNumber: UInt32
  /// When the frame was taken, in nanoseconds of `clock`.
  public let timestampNanoseconds: UInt64
  /// The clock of `timestampNanoseconds`.
  public let clock: CaptureClock
  /// The instant that `timestampNanoseconds` means.
  public let timestampSource: TimestampSource
  /// The pixels.
  public let imageBuffer: PixelBuffer

  private let attachment: IntrinsicsAttachment?
  private let absence: String?

  init(
    _ lease: any FrameLease, plan: PixelPlan, attachment: IntrinsicsAttachment?, absence: String?
  ) {
    sequenceNumber = lease.sequenceNumber
    timestampNanoseconds = lease.timestampNanoseconds
    clock = lease.clock
    timestampSource = lease.timestampSource
    imageBuffer = PixelBuffer(lease, plan: plan)
    self.attachment = attachment
    self.absence = absence
  }

  /// When the frame was taken, by `clock`.
  public var presentationTimeStamp: MediaTime {
    MediaTime(value: Int64(clamping: timestampNanoseconds), timescale: 1_000_000_000)
  }

  /// Gives the driver its memory back before the last reference to the frame is gone.
  ///
  /// The pixels cannot be read any more.
  public func invalidate() { imageBuffer.invalidate() }
}

extension SampleBuffer {
  /// What the frame carries under a key; nil where it carries nothing.
  public func attachment(_ key: AttachmentKey) -> Data? {
    switch key {
    case .cameraIntrinsicMatrix: attachment?.data
    }
  }

  /// The intrinsic matrix of this frame's pixels, its principal point measured from
  /// `intrinsicMatrixOrigin`; nil where intrinsics are not delivered with this frame.
  public var cameraIntrinsicMatrix: matrix_float3x3? { attachment?.matrix }

  /// Where the matrix's pixel coordinates begin; nil where there is none.
  public var intrinsicMatrixOrigin: PixelOrigin? { attachment?.origin }

  /// Intrinsics and distortion of this frame's pixels, in the pixel-centre convention: those of the
  /// record after what the output did to the picture.
  ///
  /// Nil where intrinsics are not delivered.
  public var cameraParameters: CameraParameters? { attachment?.camera }

  /// The same with lens distortion tables, in the form of iOS's `AVCameraCalibrationData` and in its
  /// pixel-corner convention; nil where intrinsics are not delivered.
  ///
  /// The first call of a session takes some hundredths of a second, the others nothing.
  public var cameraCalibrationData: CameraCalibrationData? { attachment?.calibrationData }

  /// The record that the intrinsics come from, as it is stored, for the camera's whole upright frame.
  public var intrinsicsRecord: IntrinsicsRecord? { attachment?.record }

  /// Whether the record says how focus and zoom stood, and they still stand so; false where the record
  /// does not know; nil where intrinsics are not delivered.
  public var lensControlsKnown: Bool? { attachment?.lensControlsKnown }

  /// Why intrinsics are not delivered with this frame though that is enabled; nil where they are, or
  /// where it is not enabled.
  public var intrinsicsAbsenceReason: String? { attachment == nil ? absence : nil }
}
